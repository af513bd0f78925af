using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;

namespace Tarn.Traces;

/// <summary>What a .NET process reports about itself over its diagnostics socket, or its pipe on Windows.</summary>
/// <param name="Command">Its command line.</param>
/// <param name="Program">The name of its entry assembly.</param>
/// <param name="Runtime">The version of its runtime.</param>
internal sealed record ProcessFacts(string Command, string Program, string Runtime)
{
    internal static readonly ProcessFacts Unknown = new("unknown", "unknown", "unknown");

    private const int GuidBytes = 16;

    /// <summary>
    /// The longest time between two questions until the answers settle: a process knows its entry assembly before its arguments, and may
    /// end soon after.
    /// </summary>
    private static readonly TimeSpan s_shortPause = TimeSpan.FromMilliseconds(10);

    /// <summary>The time between two questions to a process whose answers have settled without an entry assembly.</summary>
    private static readonly TimeSpan s_longPause = TimeSpan.FromMilliseconds(250);

    /// <summary>A process whose answers do not change for this long has started.</summary>
    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(2);

    /// <summary>A process that is stopped accepts the question and does not answer.</summary>
    private static readonly TimeSpan s_longestAnswer = TimeSpan.FromSeconds(5);

    /// <summary>Queries a process. Returns <see cref="Unknown"/> if that is impossible.</summary>
    internal static ProcessFacts Ask(int id)
    {
        foreach (Func<Stream> connect in ProcessConnection.WaysTo(id))
        {
            try
            {
                using Stream stream = connect();
                if (stream.CanTimeout)
                {
                    stream.ReadTimeout = (int)s_longestAnswer.TotalMilliseconds;
                }

                return Parse(DiagnosticsCommand.ProcessInfo2.Send(stream));
            }
            catch (Exception exception) when (ProcessConnection.IsRefusal(exception))
            {
                // The socket is a leftover of an earlier process with this id, or the runtime does not know the command.
            }
        }

        return Unknown;
    }

    /// <summary>
    /// Queries a process repeatedly, because it knows its entry assembly and arguments only once it starts. Stops when the process names an
    /// assembly and its answers have settled, or with the first answer to a question asked after <paramref name="hasStarted"/> was
    /// signalled. The last answer counts, because an ended process gives none.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="before">What it answered before it was resumed: it may end before it answers again.</param>
    /// <param name="hasStarted">Signalled when the process has rented, so that it knows its arguments.</param>
    /// <param name="hasEnded">Signalled when no answer can come any more.</param>
    internal static ProcessFacts AskUntil(
        IRecordedProcess process, ProcessFacts before, CancellationToken hasStarted, CancellationToken hasEnded)
    {
        ProcessFacts facts = before;
        var pause = TimeSpan.FromMilliseconds(2);
        var unchanged = Stopwatch.StartNew();
        while (true)
        {
            bool isLast = hasStarted.IsCancellationRequested;
            ProcessFacts answer = process.Ask(hasEnded);
            if (answer != Unknown && answer != facts)
            {
                facts = answer;
                unchanged.Restart();
            }

            if (isLast || (facts.Program.Length > 0 && unchanged.Elapsed >= s_settling))
            {
                return facts;
            }

            _ = hasStarted.WaitHandle.WaitOne(pause);
            TimeSpan longest = unchanged.Elapsed < s_settling ? s_shortPause : s_longPause;
            pause = pause < longest ? pause * 1.05 : longest;
        }
    }

    /// <summary>Reads the reply to <see cref="DiagnosticsCommand.ProcessInfo2"/>.</summary>
    internal static ProcessFacts Parse(ReadOnlySpan<byte> reply)
    {
        ReadOnlySpan<byte> rest = reply[(sizeof(long) + GuidBytes)..];
        string command = TakeText(ref rest);
        _ = TakeText(ref rest);
        _ = TakeText(ref rest);
        string program = TakeText(ref rest);
        return new ProcessFacts(command, program, ".NET " + TakeText(ref rest));
    }

    /// <summary>Reads a text: its length in characters, including the terminating zero, then UTF-16.</summary>
    private static string TakeText(ref ReadOnlySpan<byte> bytes)
    {
        int length = checked((int)BinaryPrimitives.ReadUInt32LittleEndian(bytes) * sizeof(char));
        string text = Encoding.Unicode.GetString(bytes.Slice(sizeof(uint), length)).TrimEnd('\0');
        bytes = bytes[(sizeof(uint) + length)..];
        return text;
    }
}
