using Tarn.Lab.Measurement;
using Tarn.Traces;

namespace Tarn.Lab.Replay;

/// <summary>The measurements of one trace.</summary>
/// <param name="Name">As in its file's name.</param>
/// <param name="Trace">The trace.</param>
/// <param name="Program">The replayed part.</param>
/// <param name="Times">Nanoseconds for a rent and its return, without the floor.</param>
/// <param name="Floor">The time of the replay without a pool.</param>
/// <param name="Memory">The memory of each pool, in the order of <paramref name="Times"/>.</param>
internal sealed record TraceResult(
    string Name, BufferTrace Trace, ReplayProgram Program, RoundSamples Times, double Floor, IReadOnlyList<PoolMemory> Memory);
