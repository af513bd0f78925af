using System;
using System.Buffers;

// A lambda that only disposes an owner may do so when it is disposed already; names of other things are no reads.
internal static class LambdaThatDisposes
{
    internal static void AgainInLambda(int count, Action<Action> expectNoThrow)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(count);
        owner.Dispose();
        expectNoThrow(() => owner.Dispose());
    }

    internal static void FirstInLambda(int count, Action<Action> whenDone)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(count);
        whenDone(() => owner.Dispose());
    }

    internal static void MemoryInLambda(int count, Action<Func<object>> expectThrow)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(count);
        owner.Dispose();
        expectThrow(() => owner.Memory); // expect TARN002
    }

    internal static void OthersOfThatName(int count, Func<Func<Named, int>, int> call)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        ArrayPool<byte>.Shared.Return(buffer);
        call(named => named.buffer.Length + Named.Count(buffer: []));
        call(buffer => buffer.GetHashCode());
    }

    internal sealed class Named
    {
        internal byte[] buffer = [];

        internal static int Count(byte[] buffer) => buffer.Length;
    }
}
