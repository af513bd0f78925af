using System.Collections.Concurrent;
using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Starts a program and records it, and the .NET processes it starts, each from its first instruction. Not on Windows.</summary>
public static class ProgramRecorder
{
    /// <summary>
    /// Runs a program to its end and returns a trace for each process in which at least one buffer was rented, the largest first.
    /// </summary>
    /// <param name="start">How to start the program. One variable is added to its environment.</param>
    /// <param name="processes">Only processes whose command line contains this are recorded; null records all.</param>
    /// <param name="options">When each process's recording ends. The processes continue.</param>
    /// <param name="cancellation">Ends recordings early and kills the program and its child processes.</param>
    /// <exception cref="PlatformNotSupportedException">On Windows, where a port is a pipe.</exception>
    /// <exception cref="RecordingException">The program cannot be started.</exception>
    public static async Task<IReadOnlyList<BufferTrace>> RunAsync(
        ProcessStartInfo start, string? processes, RecordingOptions options, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        if (Path.DirectorySeparatorChar == '\\')
        {
            throw new PlatformNotSupportedException("On Windows, start the program yourself and record it by its process id.");
        }

        using var port = new DiagnosticPort();
        start.Environment[DiagnosticPort.Variable] = port.Address;
        using Process program = Start(start);
        var traces = new ConcurrentBag<BufferTrace>();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task accepting = AcceptAllAsync(port, processes, options, traces, ended.Token);
        try
        {
            await program.WaitForExitAsync(cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            program.Kill(entireProcessTree: true);
        }

        await ended.CancelAsync().ConfigureAwait(false);
        await accepting.ConfigureAwait(false);
        return [.. traces.Where(trace => trace.Rented > 0).OrderByDescending(trace => trace.Events.Length)];
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start) ?? throw new RecordingException($"{start.FileName} was not started.");
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            throw new RecordingException($"{start.FileName} cannot be started: {exception.Message}", exception);
        }
    }

    private static async Task AcceptAllAsync(
        DiagnosticPort port, string? processes, RecordingOptions options, ConcurrentBag<BufferTrace> traces, CancellationToken ended)
    {
        HashSet<int> known = [];
        List<Task> recordings = [];
        try
        {
            while (true)
            {
                WaitingProcess process = await port.AcceptAsync(ended).ConfigureAwait(false);
                if (known.Add(process.Id))
                {
                    recordings.Add(Task.Factory.StartNew(
                        () => RecordOne(process, processes, options, traces, ended),
                        CancellationToken.None,
                        TaskCreationOptions.LongRunning,
                        TaskScheduler.Default));
                }
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(recordings).ConfigureAwait(false);
        }
    }

    /// <summary>Records one process. The process waits until it is resumed, so it must be resumed whatever happens.</summary>
    private static void RecordOne(
        WaitingProcess process, string? processes, RecordingOptions options, ConcurrentBag<BufferTrace> traces, CancellationToken ended)
    {
        try
        {
            if (processes is null || ProcessFacts.Ask(process.Id).Command.Contains(processes, StringComparison.Ordinal))
            {
                traces.Add(TraceRecorder.Record(process.Id, options, "started", process.Resume, ended));
            }
            else
            {
                process.Resume();
            }
        }
        catch (Exception exception) when (exception is RecordingException or IOException)
        {
            // The process ended before it was queried; others may still connect.
        }
    }
}
