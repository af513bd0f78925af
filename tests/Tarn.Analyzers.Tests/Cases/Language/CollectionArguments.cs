using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

/// <summary>The arguments of a collection expression are those of a call: they use what they are given, and may keep it.</summary>
internal static class CollectionArguments
{
    internal static int Used(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        List<byte> all = [with(buffer.Length), buffer[0]];
        ArrayPool<byte>.Shared.Return(buffer);
        return all.Count;
    }

    internal static int UsedAfterwards(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        List<byte> all = [with(buffer[0]), 1]; // expect TARN002
        return all.Count;
    }

    internal static int Lost(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        List<byte> all = [with(capacity: buffer.Length), 1];
        return all.Count;
    }

    internal static List<byte[]> Leaves(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return [with(capacity: 4), buffer];
    }

    internal static Keeper LeavesAsArgument(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Keeper keeper = [with(buffer), 1, 2];
        return keeper;
    }

    internal sealed class Keeper(byte[] kept) : IEnumerable<int>
    {
        internal byte[] Kept => kept;

        public void Add(int one) => kept[0] = (byte)one;

        public IEnumerator<int> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
