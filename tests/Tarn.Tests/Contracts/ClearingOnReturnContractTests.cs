using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>Every buffer is cleared when it comes back, by design, asked for or not.</summary>
public sealed class ClearingOnReturnContractTests : ArrayPoolContract
{
    protected override bool ReturnLeavesContents => false;

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Clearing = BufferClearing.OnReturn });
}
