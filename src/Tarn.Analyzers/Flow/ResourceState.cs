namespace Tarn.Analyzers.Flow;

/// <summary>A resource on a path.</summary>
/// <param name="Status">Where it is.</param>
/// <param name="Origin">Of a returned one: where and how the path came to be one on which it is, an index of <see cref="Origins"/>.</param>
/// <param name="HasLooped">Of a returned one: a loop began anew since.</param>
/// <param name="IsShared">Somebody else may hold it: it was stored, captured, or handed to code that may keep it.</param>
/// <param name="IsCleared">Its contents were cleared.</param>
internal readonly record struct ResourceState(ResourceStatus Status, int Origin, bool HasLooped, bool IsShared, bool IsCleared)
{
    /// <summary>Something was written into it, or may have been by code that it was handed to.</summary>
    internal bool IsFilled { get; init; }

    /// <summary>All of it was written, however long it is.</summary>
    internal bool IsFull { get; init; }

    /// <summary>What was written into it is a secret.</summary>
    internal bool IsSecret { get; init; }

    internal bool IsReturned => Status == ResourceStatus.Returned;
}
