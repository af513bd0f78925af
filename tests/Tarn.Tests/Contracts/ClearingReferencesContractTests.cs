using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>By design, returns clear references and leave plain numbers unchanged.</summary>
public sealed class ClearingReferencesContractTests : ArrayPoolContract
{
    protected override bool ReturnLeavesReferences => false;

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Clearing = BufferClearing.References });
}
