package dev.tickwell;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of a row's class (as for {@link Key}) whose column refuses null. Primitives and keys
 * do so by themselves. Kotlin's own types say nothing of null that can be seen when the server
 * runs, so there too this is what says it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface NotNull {}
