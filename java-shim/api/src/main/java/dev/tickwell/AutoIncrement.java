package dev.tickwell;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of a row's class (as for {@link Key}) whose value the database gives: the next
 * number, which it gives to no other row. It is an {@link Integer} or {@link Long}, in which null
 * means "give one", and the only {@link Key}. A row that brings a number keeps it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface AutoIncrement {}
