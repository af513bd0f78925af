using System.Diagnostics;
using System.Text;

namespace Tarn.Traces;

/// <summary>
/// Sees which processes a program starts, directly or not, also those that hear of nobody who records or checks: it lists the processes
/// of the system again and again. Linux only; elsewhere it sees none.
/// </summary>
/// <remarks>
/// A process is the program's if its parent was, or if it has the first mark in its environment. So it is not seen if it ends between two
/// looks, or if it lost its parents between two looks and its environment. Not thread-safe.
/// </remarks>
internal sealed class ProcessWatch : IDisposable
{
    /// <summary>The pauses between looks, longer where a look is not cheap. A program of .NET needs more time to start.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMilliseconds(40);

    /// <summary>A look is to cost a tenth of a processor at most: the system may have any number of processes.</summary>
    private const int PausesOfLook = 9;

    private readonly byte[][] _marks;
    private readonly string _user;
    private readonly List<SeenProcess> _ended = [];

    /// <summary>The program's processes that run, by their ids.</summary>
    private readonly Dictionary<int, SeenProcess> _running = [];
    private readonly ManualResetEventSlim _end = new();

    /// <summary>All processes that ran at the last look.</summary>
    private HashSet<int> _listed;
    private int _root;
    private Thread? _thread;

    /// <param name="marks">What the program gets into its environment; the first in no other program's.</param>
    internal ProcessWatch(params string[] marks)
    {
        _marks = [.. marks.Select(Encoding.UTF8.GetBytes)];
        _user = ProcStat.User(Environment.ProcessId);
        _listed = [.. ProcStat.List()];
        if (ProcStat.Read(Environment.ProcessId) is { } self)
        {
            // To compile what a look does takes longer than a short process lives.
            _ = Refresh(new SeenProcess(self.Id, self.Start), self);
        }
    }

    /// <summary>Begins to look.</summary>
    /// <param name="root">The program, which was started after the watch was made.</param>
    internal void Begin(int root)
    {
        if (_user.Length > 0)
        {
            _root = root;
            _thread = new Thread(LookAgainAndAgain) { IsBackground = true, Name = "tarn: processes" };
            _thread.Start();
        }
    }

    /// <summary>
    /// Looks until the program's .NET processes have ended, and returns all processes that were seen, the oldest first. The program itself
    /// is among them.
    /// </summary>
    /// <param name="patience">The longest time to wait for those that end a little after the program.</param>
    internal IReadOnlyList<SeenProcess> End(TimeSpan patience)
    {
        Dispose();
        if (_thread is not null)
        {
            long start = Stopwatch.GetTimestamp();
            Look();
            while (_running.Values.Any(static one => one is { IsDotnet: true, Line.IsSdk: false })
                && Stopwatch.GetElapsedTime(start) < patience)
            {
                Thread.Sleep(s_pause);
                Look();
            }
        }

        return [.. _ended.Concat(_running.Values).OrderBy(static one => one.Start).ThenBy(static one => one.Id)];
    }

    public void Dispose()
    {
        _end.Set();
        _thread?.Join();
    }

    private void LookAgainAndAgain()
    {
        TimeSpan pause = TimeSpan.Zero;
        while (!_end.Wait(pause))
        {
            long start = Stopwatch.GetTimestamp();
            Look();
            TimeSpan wanted = Stopwatch.GetElapsedTime(start) * PausesOfLook;
            pause = wanted < s_pause ? s_pause : wanted > s_longestPause ? s_longestPause : wanted;
        }
    }

    private void Look()
    {
        HashSet<int> listed = [.. ProcStat.List()];
        foreach (int gone in _running.Keys.Where(id => !listed.Contains(id)).ToArray())
        {
            Leave(gone);
        }

        // Parents before their children, as far as their ids tell.
        foreach (int id in listed.Where(id => _running.ContainsKey(id) || !_listed.Contains(id)).Order())
        {
            if (ProcStat.Read(id) is not { } process)
            {
                continue;
            }

            bool isKnown = _running.TryGetValue(id, out SeenProcess? known) && known.Start == process.Start;
            if (known is not null && (process.HasEnded || !isKnown))
            {
                Leave(id);
            }

            if (!process.HasEnded && (isKnown || IsOfOurs(process)))
            {
                _running[id] = Refresh(isKnown ? known! : new SeenProcess(id, process.Start), process);
            }
        }

        _listed = listed;
    }

    private void Leave(int id)
    {
        _running.Remove(id, out SeenProcess? gone);
        _ended.Add(gone! with { IsAlive = false });
    }

    /// <summary>If its parent has ended, its environment tells. What is not marked at first sight is another program's.</summary>
    private bool IsOfOurs(ProcStat process) => process.Id == _root || _running.ContainsKey(process.Parent)
        || (ProcStat.Environment(process.Id) is { } variables && Has(variables, _marks[0]));

    private SeenProcess Refresh(SeenProcess known, ProcStat process)
    {
        // One that has not begun is a copy of its parent, and about to begin what it was made for.
        if (!process.HasBegun || known.IsDotnet)
        {
            return known;
        }

        byte[]? variables = ProcStat.Environment(process.Id);
        string? mappings = ProcStat.Mappings(process.Id);
        ProgramLine line = ProgramLine.Read(process.Id, static () => "");
        return line.Text.Length == 0
            ? known
            : known with
            {
                Line = line,
                IsOfOtherUser = ProcStat.User(process.Id) != _user,
                HasMarks = variables is not null && _marks.All(mark => Has(variables, mark)),
                IsDotnet = mappings?.Contains("/libcoreclr.so", StringComparison.Ordinal) == true
                    || HasSocket(process, variables)
                    || (mappings is null && line.IsManaged),
            };
    }

    /// <summary>Programs in a single file, and those compiled ahead of time, have a runtime inside of them.</summary>
    private static bool HasSocket(ProcStat process, byte[]? variables)
    {
        string folder = Encoding.UTF8.GetString(variables ?? []).Split('\0')
            .FirstOrDefault(one => one.StartsWith("TMPDIR=", StringComparison.Ordinal))?["TMPDIR=".Length..] is { Length: > 0 } set
            ? set
            : "/tmp";
        return File.Exists(Path.Combine(folder, FormattableString.Invariant($"dotnet-diagnostic-{process.Id}-{process.Start}-socket")));
    }

    private static bool Has(byte[] variables, byte[] mark) => variables.AsSpan().IndexOf(mark) >= 0;
}
