namespace Tarn.Fuzz;

/// <summary>
/// Notes each input in a file before it is run, so that it is there when the process dies of it, and ends the process when one hangs.
/// </summary>
internal sealed class InputWatch : IDisposable
{
    /// <summary>Far longer than any input takes on a machine that is busy with other things.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    private readonly string _folder;
    private readonly FileStream _file;
    private readonly Timer _timer;
    private volatile Finding? _running;

    internal InputWatch(string folder)
    {
        Directory.CreateDirectory(folder);
        _folder = folder;
        Path = System.IO.Path.Combine(folder, "last-input");
        _file = new FileStream(Path, FileMode.Create, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
        _timer = new Timer(_ => EndHung());
    }

    /// <summary>The file that holds the input that runs, or ran last.</summary>
    internal string Path { get; }

    internal void Begin(string target, byte[] input)
    {
        _file.Position = 0;
        _file.Write(input);
        _file.SetLength(input.Length);
        _running = new Finding(target, input, $"it still runs after {s_longest.TotalSeconds:0} seconds");
        _timer.Change(s_longest, Timeout.InfiniteTimeSpan);
    }

    internal void End()
    {
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _running = null;
    }

    public void Dispose()
    {
        _timer.Dispose();
        _file.Dispose();
    }

    private void EndHung()
    {
        if (_running is { } hung)
        {
            hung.Report(_folder);
            Environment.Exit(1);
        }
    }
}
