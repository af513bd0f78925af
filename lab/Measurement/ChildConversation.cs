using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A child that stays alive and executes commands line by line, for work that two processes do together. It ends when its input ends.
/// </summary>
internal sealed class ChildConversation : IDisposable
{
    private static readonly TimeSpan s_timeToEnd = TimeSpan.FromSeconds(5);

    private readonly string _job;
    private readonly Process _process;
    private readonly Task<string> _error;

    public ChildConversation(string job, params IEnumerable<string> arguments)
    {
        _job = job;
        ProcessStartInfo start = ChildProcess.CreateStart(job, arguments);
        start.RedirectStandardInput = true;
        _process = Process.Start(start)!;
        _error = _process.StandardError.ReadToEndAsync();
    }

    /// <exception cref="InvalidOperationException">The child ended; the message contains its output.</exception>
    public void Tell(string line)
    {
        try
        {
            _process.StandardInput.WriteLine(line);
            _process.StandardInput.Flush();
        }
        catch (IOException)
        {
            throw CreateFailure();
        }
    }

    /// <summary>Waits for and returns its next line of output.</summary>
    /// <exception cref="InvalidOperationException">The child ended; the message contains its output.</exception>
    public string Hear() => _process.StandardOutput.ReadLine() ?? throw CreateFailure();

    /// <summary>
    /// Does this process's part of the work. If the child failed, the exception contains its reason, because this process only sees that
    /// the child has ended.
    /// </summary>
    /// <exception cref="InvalidOperationException">The child ended; the message contains its output.</exception>
    public void Do(Action work)
    {
        try
        {
            work();
        }
        catch (Exception exception) when (exception is IOException or System.Net.Sockets.SocketException or SharedPeerLostException)
        {
            if (_process.WaitForExit(s_timeToEnd))
            {
                throw CreateFailure();
            }

            throw;
        }
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(s_timeToEnd))
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private InvalidOperationException CreateFailure()
    {
        _process.WaitForExit();
        return new InvalidOperationException($"The job {_job} ended with exit code {_process.ExitCode}: {_error.Result.Trim()}");
    }
}
