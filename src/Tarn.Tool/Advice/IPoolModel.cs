namespace Tarn.Tool.Advice;

/// <summary>What a pool would do with rents and returns. It counts buffers and allocates none.</summary>
internal interface IPoolModel
{
    /// <summary>The pool as its user would write it.</summary>
    string Name { get; }

    /// <summary>The elements that the pool keeps for later.</summary>
    long Retained { get; }

    /// <summary>Rents on a thread.</summary>
    /// <returns>The length given, and whether the pool had to allocate it.</returns>
    (int Length, bool IsAllocated) Rent(int thread, int length);

    /// <summary>Returns a buffer of a length that the pool gave. Returns whether the pool kept it.</summary>
    bool Return(int thread, int length);
}
