namespace Tarn.Lab.Measurement;

/// <summary>
/// The work one contender does once. Implementations are structs, so that the JIT compiles a loop of its own for each of them
/// (<see cref="LoopTrial{TWork}"/>) and the calls inside are inlined and profiled as they would be in a user's method.
/// </summary>
internal interface IWork
{
    void Once();
}
