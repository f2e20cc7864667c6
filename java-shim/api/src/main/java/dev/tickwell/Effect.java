package dev.tickwell;

/** What is known of a failed request's effect on the database. */
public enum Effect {
  /** Nothing was stored. */
  NONE,
  /** It was stored although the request failed afterwards. */
  APPLIED,
  /** The reply was lost: it may or may not have been stored. */
  UNKNOWN
}
