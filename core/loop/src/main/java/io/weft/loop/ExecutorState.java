package io.weft.loop;

/// The stages in the life of an executor. It never goes back.
public enum ExecutorState {
    /// No task has come yet: it has no thread.
    NOT_STARTED,
    /// It has a thread and takes tasks.
    RUNNING,
    /// It has been asked to shut down, and may still take tasks.
    SHUTTING_DOWN,
    /// The last task and the last hook have run.
    TERMINATED
}
