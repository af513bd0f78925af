using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Replay;

/// <summary>
/// Several copies of a program that share a pool and nothing else, all at once: a load on more threads than the program was recorded on.
/// </summary>
internal sealed class ReplayCrowd<TPool> : IDisposable
    where TPool : struct, IBytePool
{
    private readonly Crew[] _crews;
    private readonly Replayer<TPool>[] _replayers;
    private readonly Crew _starters;

    public ReplayCrowd(ReplayProgram program, int copies, TPool pool)
    {
        _crews = [.. Enumerable.Range(0, copies).Select(_ => new Crew(program.Threads, isPinned: false))];
        _replayers = [.. _crews.Select(crew => new Replayer<TPool>("", program, crew, pool))];
        _starters = new Crew(copies, isPinned: false);
        Threads = copies * program.Threads;
        CallsPerPass = 2L * copies * program.Rents;
    }

    /// <summary>The threads that rent and return.</summary>
    public int Threads { get; }

    public long CallsPerPass { get; }

    public void Run(int passes) => _ = _starters.Run(copy => _ = _replayers[copy].Run(passes));

    public void Dispose()
    {
        _starters.Dispose();
        foreach (Crew crew in _crews)
        {
            crew.Dispose();
        }
    }
}
