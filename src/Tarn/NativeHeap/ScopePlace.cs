namespace Tarn.Native;

/// <summary>A place in the order of a scope's allocations: the state that the scope goes back to.</summary>
internal unsafe struct ScopePlace
{
    /// <summary>The number of the place among all that the scope saved; from 1, never used again.</summary>
    internal long Number;

    /// <summary>The number of the frame that was open, 0 for none.</summary>
    internal long Frame;

    /// <summary>The current block's memory, what was free of it, and its end; null if there was none.</summary>
    internal byte* Start;
    internal byte* Next;
    internal byte* End;

    /// <summary>The newest linked block.</summary>
    internal ScopeBlock* Newest;

    /// <summary>The number of checked blocks.</summary>
    internal int CheckedBlocks;
    internal nuint NextSize;
    internal long AllocatedBefore;
}
