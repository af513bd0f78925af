using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace Tarn.Traces;

/// <summary>
/// Listens on the port of a recording when the recording has ended, or was killed, and resumes whatever still connects. The address of the
/// port is in the environment of all that the recorded program started; a runtime that does not find the port would wait for ever.
/// </summary>
/// <remarks>
/// It is a process of its own, started with the recording. Its standard input is a pipe from the process that records, so that it notices
/// the end of that process, however it comes. It ends when no process has the address any more.
/// </remarks>
public static class PortKeeper
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    /// <summary>How long it stays after the last connection where the environment of processes cannot be read.</summary>
    private static readonly TimeSpan s_blindTime = TimeSpan.FromHours(1);

    /// <summary>Waits for the end of the process that records, then keeps its port. The body of the keeper's process.</summary>
    /// <param name="address">The address of the port.</param>
    /// <param name="recorder">The standard input.</param>
    /// <exception cref="RecordingException">The address is none that a recording made; nothing is touched.</exception>
    public static async Task RunAsync(string address, Stream recorder)
    {
        ArgumentNullException.ThrowIfNull(recorder);
        bool isPipe = Path.DirectorySeparatorChar == '\\';
        if (!isPipe && !SocketListener.IsAddress(address))
        {
            throw new RecordingException($"{address} is no port of a recording.");
        }

        // Signals of a terminal reach it with those that it must outlive.
        PosixSignalRegistration[] ignored =
        [
            .. ((PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGQUIT, PosixSignal.SIGHUP])
                .Select(signal => PosixSignalRegistration.Create(signal, context => context.Cancel = true)),
        ];
        var buffer = new byte[1];
        while (await recorder.ReadAsync(buffer).ConfigureAwait(false) > 0)
        {
        }

        if (IsNeeded(address, TimeSpan.Zero))
        {
            using var port = new DiagnosticPort(isPipe ? new PipeListener(address) : new SocketListener(address));
            await KeepAsync(port).ConfigureAwait(false);
        }
        else if (!isPipe)
        {
            // The process that records was killed.
            SocketListener.Remove(address);
        }

        Array.ForEach(ignored, one => one.Dispose());
    }

    /// <summary>Starts the keeper of a port.</summary>
    /// <param name="start">How to start a program that calls <see cref="RunAsync"/> with its last argument.</param>
    /// <param name="address">The address of the port.</param>
    internal static Process Start(ProcessStartInfo start, string address)
    {
        start.ArgumentList.Add(address);
        start.RedirectStandardInput = true;

        // The folder of the recording may be deleted, or its volume removed, while the keeper runs.
        start.WorkingDirectory = Path.GetPathRoot(Environment.CurrentDirectory) ?? "";

        // Whoever reads what the recording writes would else wait for the keeper's end.
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _ = start.Environment.Remove(DiagnosticPort.Variable);
        return Process.Start(start) ?? throw new RecordingException($"{start.FileName} was not started.");
    }

    private static async Task KeepAsync(DiagnosticPort port)
    {
        HashSet<Guid> resumed = [];
        var sinceLast = Stopwatch.StartNew();
        Task<WaitingProcess> next = port.AcceptAsync(CancellationToken.None);
        while (IsNeeded(port.Address, sinceLast.Elapsed))
        {
            if (await Task.WhenAny(next, Task.Delay(s_pause)).ConfigureAwait(false) != next)
            {
                continue;
            }

            WaitingProcess process = await next.ConfigureAwait(false);
            next = port.AcceptAsync(CancellationToken.None);
            sinceLast.Restart();

            // A resumed process connects again at once. Its connection stays open and unused.
            if (resumed.Add(process.Runtime))
            {
                try
                {
                    process.Resume();
                }
                catch (IOException)
                {
                    // It has ended.
                }
            }
        }
    }

    /// <summary>Whether a process has the address in its environment, and so may start one that connects.</summary>
    private static bool IsNeeded(string address, TimeSpan sinceLast)
    {
        if (!Directory.Exists("/proc/self"))
        {
            return sinceLast < s_blindTime;
        }

        byte[] variable = Encoding.UTF8.GetBytes($"{DiagnosticPort.Variable}={address}");
        return Directory.EnumerateDirectories("/proc").Where(folder => char.IsAsciiDigit(Path.GetFileName(folder)[0]))
            .Any(folder => EnvironmentOf(folder).AsSpan().IndexOf(variable) >= 0);
    }

    private static byte[] EnvironmentOf(string process)
    {
        try
        {
            return File.ReadAllBytes(Path.Combine(process, "environ"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has ended, or belongs to another user.
            return [];
        }
    }
}
