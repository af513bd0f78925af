using System;
using System.Buffers;
using System.Threading.Tasks;

internal static class HandedBack
{
    private static byte[]? s_kept;

    internal static byte UsedThroughSlice(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Span<byte> head = Head(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return head[0]; // expect TARN002
    }

    internal static byte UsedThroughMemory(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Memory<byte> rest = Rest(buffer, 2);
        ArrayPool<byte>.Shared.Return(buffer);
        return rest.Span[0]; // expect TARN002
    }

    internal static byte UsedThroughLoop(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Span<byte> rest = Skip(buffer, 2);
        ArrayPool<byte>.Shared.Return(buffer);
        return rest[0]; // expect TARN002
    }

    internal static void ReturnedTwice(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        byte[] same = buffer.Fill(1);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(same); // expect TARN001
    }

    internal static byte NeverReturned(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return buffer.Fill(1)[0];
    }

    internal static byte NeverReturnedInline(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length).Fill(1).Fill(2); // expect TARN011
        return buffer[0];
    }

    internal static byte NeverReturnedAfterCheck(int length)
    {
        byte[] buffer = Checked(ArrayPool<byte>.Shared.Rent(length), length); // expect TARN011
        return buffer[0];
    }

    internal static int NeverDisposed(int length)
    {
        IMemoryOwner<byte> owner = Cleared(MemoryPool<byte>.Shared.Rent(length)); // expect TARN011
        return owner.Memory.Length;
    }

    internal static byte NeverReturnedByCaller(int length)
    {
        byte[] made = Make(length); // expect TARN011
        return made[0];
    }

    internal static byte ReturnedInline(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length).Fill(1);
        byte first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer.Fill(2));
        return first;
    }

    internal static byte ReturnedAsWhatCameBack(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer = Again(buffer, 3);
        byte first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static byte ReturnedGrown(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer = Grown(buffer, length * 2);
        byte first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static async Task<byte> ReturnedAfterWait(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        byte[] same = await FilledLaterAsync(buffer);
        byte first = same[0];
        ArrayPool<byte>.Shared.Return(same);
        return first;
    }

    internal static byte Chosen(int length, byte[] other)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        byte[] one = Either(buffer, other);
        ArrayPool<byte>.Shared.Return(buffer);
        return one[0];
    }

    internal static byte KeptAsWell(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return Kept(buffer)[0];
    }

    internal static byte[] Made(int length) => ArrayPool<byte>.Shared.Rent(length).Fill(1);

    private static byte[] Make(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return Checked(buffer.Fill(3), length);
    }

    private static Span<byte> Head(byte[] buffer) => buffer.AsSpan(0, 4);

    private static Memory<byte> Rest(Memory<byte> memory, int count)
    {
        if (count == 0)
        {
            return memory;
        }

        return memory.Slice(count);
    }

    private static Span<byte> Skip(Span<byte> span, int count)
    {
        for (; count > 0; count--)
        {
            span = span.Slice(1);
        }

        return span;
    }

    private static byte[] Fill(this byte[] buffer, byte value)
    {
        buffer[0] = value;
        return buffer;
    }

    private static T[] Checked<T>(T[] array, int length) =>
        array.Length < length ? throw new ArgumentException("It is too short.", nameof(array)) : array;

    private static IMemoryOwner<byte> Cleared(IMemoryOwner<byte> owner)
    {
        owner.Memory.Span.Clear();
        return owner;
    }

    private static byte[] Again(byte[] buffer, int count) => count == 0 ? buffer : Again(buffer, count - 1);

    private static byte[] Grown(byte[] buffer, int length)
    {
        if (buffer.Length >= length)
        {
            return buffer;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        return larger;
    }

    private static async Task<byte[]> FilledLaterAsync(byte[] buffer)
    {
        await Task.Yield();
        buffer[0] = 1;
        return buffer;
    }

    private static byte[] Either(byte[] one, byte[] other) => one[0] == 0 ? one : other;

    private static byte[] Kept(byte[] buffer)
    {
        s_kept = buffer;
        return buffer;
    }
}
