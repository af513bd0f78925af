using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>References are cleared on return, by design; plain numbers are left as they are.</summary>
public sealed class ClearingReferencesContractTests : ArrayPoolContract
{
    protected override bool ReturnLeavesReferences => false;

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Clearing = BufferClearing.References });
}
