using Tarn.Lab.Measurement;
using Tarn.Traces;

namespace Tarn.Lab.Replay;

/// <summary>What was measured with one trace.</summary>
/// <param name="Name">As in its file's name.</param>
/// <param name="Trace">The trace.</param>
/// <param name="Program">What was replayed of it.</param>
/// <param name="Times">Nanoseconds for a rent and its return, without the floor.</param>
/// <param name="Floor">What replaying takes without a pool.</param>
/// <param name="Memory">A pool's place is that in <paramref name="Times"/>.</param>
internal sealed record TraceResult(
    string Name, BufferTrace Trace, ReplayProgram Program, RoundSamples Times, double Floor, IReadOnlyList<PoolMemory> Memory);
