using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace Tarn.Traces;

/// <summary>
/// Events with stacks. Resolving stacks needs the methods that the session lists at its end, so the stream is copied to a file first. That
/// also reads it as fast as the process writes it, so that no event is lost for want of reading.
/// </summary>
/// <param name="mostBytes">The most bytes of a stream; it ends there.</param>
internal sealed class StackedEvents(long mostBytes = StackedEvents.MostBytes) : IDisposable
{
    private const long MostBytes = 1L << 30;

    private readonly string _directory = CreateFolder();

    /// <summary>Whether the stream had the most bytes.</summary>
    internal bool IsFull { get; private set; }

    /// <summary>The bytes of the stream.</summary>
    internal long Bytes { get; private set; }

    internal StackTable Stacks { get; private set; } = StackTable.Empty;

    /// <summary>The element types of pools, by their ids.</summary>
    internal Dictionary<int, string> Elements { get; } = [];

    private string Copy => Path.Combine(_directory, "recording.nettrace");

    /// <summary>Copies the stream until the session ends or the process does.</summary>
    /// <param name="stream">The session's stream.</param>
    /// <param name="onFull">Called once, when the session should end.</param>
    internal void CopyAll(Stream stream, Action onFull)
    {
        using FileStream copy = File.Create(Copy);
        byte[] buffer = new byte[64 << 10];
        for (int read; (read = stream.Read(buffer)) > 0;)
        {
            copy.Write(buffer.AsSpan(0, read));
            Bytes += read;
            if (Bytes > mostBytes && !IsFull)
            {
                IsFull = true;
                onFull();
            }
        }
    }

    /// <summary>Reads the events of pools from the copy.</summary>
    /// <exception cref="FormatException">The copy ends before its first event.</exception>
    internal void Read(PoolEvents events) => events.Lost = Read(
        (source, stacks) => source.Dynamic.All += one =>
        {
            if (PoolEventReader.IsOfPool(one))
            {
                CallStackIndex stack = one.CallStackIndex();
                if (events.Reader.Read(one) is { Kind: PoolEventKind.Rented } rent && !Elements.ContainsKey(rent.Pool)
                    && stacks.ElementOf(stack) is { } element)
                {
                    Elements.Add(rent.Pool, element);
                }

                _ = events.Take(one, stacks.Of(stack));
            }
        },
        events.Reader.LookAhead);

    /// <summary>Reads the events of the copy. Returns how many the runtime dropped.</summary>
    /// <param name="subscribe">Asks the source for events, whose stacks the reader then resolves.</param>
    /// <param name="lookAhead">Receives the events of event sources before.</param>
    /// <exception cref="FormatException">The copy ends before its first event.</exception>
    internal long Read(Action<TraceLogEventSource, StackReader> subscribe, Action<TraceEvent> lookAhead)
    {
        long lost = 0;
        string path = TraceLog.CreateFromEventPipeDataFile(Copy, Copy + ".etlx", new TraceLogOptions
        {
            ContinueOnError = true,
            OnLostEvents = (_, number, _) => lost += number,
        });
        using var log = new TraceLog(path);
        using var modules = new ModuleFiles();
        using var stacks = new StackReader(log, CodeMaps.Read(Copy, lookAhead), modules);
        using TraceLogEventSource source = log.Events.GetSource();
        subscribe(source, stacks);
        _ = source.Process();
        Stacks = stacks.ToTable();
        return Math.Max(lost, log.EventsLost);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static string CreateFolder()
    {
        try
        {
            return Directory.CreateTempSubdirectory("tarn-").FullName;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The folder for temporary files is missing, or its path is too long.
            return SocketFolder.Create("recording.nettrace.etlx");
        }
    }
}
