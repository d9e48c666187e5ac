package io.weft.codec.smtp;

/// A message of a client: a command, or a part of contents.
public sealed interface SmtpRequest permits SmtpCommand, SmtpContent {}
