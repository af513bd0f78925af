using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>A load that runs on any number of threads, to count what a pool does under it.</summary>
internal interface ICountedLoad
{
    string Name { get; }

    /// <summary>The share of the buffers that another thread returns than rented them.</summary>
    double HandedOver { get; }

    /// <summary>Runs until the pool is warm, tells so, and runs again.</summary>
    /// <param name="pool">The pool.</param>
    /// <param name="threads">As many threads, or a few less.</param>
    /// <param name="warm">Called in between.</param>
    /// <returns>The threads there were, and the rents and returns after the pool was warm.</returns>
    (int Threads, long Calls) Run<TPool>(TPool pool, int threads, Action warm)
        where TPool : struct, IBytePool;
}
