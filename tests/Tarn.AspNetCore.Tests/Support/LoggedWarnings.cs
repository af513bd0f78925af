using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Tarn.AspNetCore.Tests.Support;

/// <summary>Keeps the messages that Tarn logs.</summary>
internal sealed class LoggedWarnings : ILoggerProvider
{
    private readonly ConcurrentQueue<string> _messages = new();

    internal string[] Messages => [.. _messages];

    public ILogger CreateLogger(string categoryName) => new Logger(
        categoryName.StartsWith("Tarn.", StringComparison.Ordinal) ? _messages : null);

    public void Dispose()
    {
    }

    private sealed class Logger(ConcurrentQueue<string>? messages) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => messages is not null;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            messages?.Enqueue(formatter(state, exception));
    }
}
