//! The engine's data by its public face: pages, plans, requests as bytes, raw SQL and validation.

#[cfg(test)]
mod codec;
#[cfg(test)]
mod page;
#[cfg(test)]
mod placeholder;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod support;
#[cfg(test)]
mod validate;
