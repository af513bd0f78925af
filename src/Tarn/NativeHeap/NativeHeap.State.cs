namespace Tarn;

/// <summary>What scopes and buffers ask of their heap.</summary>
public sealed unsafe partial class NativeHeap
{
    /// <summary>Whether the heap was disposed: its blocks are gone then, and must not be looked at.</summary>
    internal bool IsDisposed => Volatile.Read(ref _disposed);

    /// <summary>The checks the heap makes, the environment's among them.</summary>
    internal BufferChecks Checks => BufferChecksEnvironment.Resolve(_options.Checks, nameof(Checks));

    /// <summary>Whether the heap verifies anything.</summary>
    internal bool IsChecked => Checks != BufferChecks.None;

    /// <summary>Whether the heap tells of blocks that were forgotten, all or a sample.</summary>
    internal bool TracksLeaks => (Checks & (BufferChecks.Leaks | BufferChecks.SampledLeaks)) != 0;
}
