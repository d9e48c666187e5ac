package io.weft.examples;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// The end of a program that failed: one line for its user, and an exit code. Arguments that are
/// wrong are told apart from everything else, as scripts retry the latter alone.
///
/// @param exitCode [#USAGE], or [#FAILED]
public record Failure(String line, int exitCode) {
    /// The exit code after a failure at run time: no connection, a port in use, a bad response.
    public static final int FAILED = 1;

    /// The exit code after arguments that are wrong.
    public static final int USAGE = 2;

    /// Describes an exception; an [IllegalArgumentException] stands for arguments that are wrong.
    public static Failure of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && (cause instanceof CompletionException || cause instanceof ExecutionException)) {
            cause = cause.getCause();
        }
        return new Failure(line(cause), cause instanceof IllegalArgumentException ? USAGE : FAILED);
    }

    private static String line(Throwable cause) {
        String message = cause.getMessage();
        return switch (cause) {
            // Their message is the name of the file alone.
            case NoSuchFileException e -> e.getFile() + ": no such file";
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            default -> message == null ? cause.getClass().getSimpleName() : message;
        };
    }

    /// Prints the line, and ends the program.
    public void exit() {
        System.err.println(line);
        System.exit(exitCode);
    }
}
