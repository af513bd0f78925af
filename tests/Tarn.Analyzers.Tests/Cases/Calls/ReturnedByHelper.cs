using System.Buffers;
using System.IO;

internal sealed class ReturnedByHelper
{
    private byte[]? _kept;

    internal static void Twice(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBack(buffer);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
    }

    internal static void TwiceByHelpers(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBackInFinally(buffer);
        GiveBackIfAny(buffer); // expect TARN001
    }

    internal static int UsedAfter(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBackThrough(buffer);
        return buffer[0]; // expect TARN002
    }

    internal static int UsedAfterOwner(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        Close(owner);
        return owner.Memory.Span[0]; // expect TARN002
    }

    internal static int ByExtension(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.Recycle();
        return buffer[0]; // expect TARN002
    }

    internal static void Once(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBack(buffer);
    }

    internal static void OnceOnEachPath(int length, bool isFirst)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (isFirst)
        {
            GiveBackIfAny(buffer);
        }
        else
        {
            GiveBackInFinally(buffer);
        }
    }

    internal static int MaybeReturned(int length, bool isLast)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBackWhen(buffer, isLast);
        if (!isLast)
        {
            buffer[0] = 1;
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return length;
    }

    internal static int Left(byte[] buffer)
    {
        GiveBackUnlessEmpty(buffer, buffer.Length);
        return buffer[0];
    }

    internal void Kept(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Keep(buffer);
    }

    internal static int Borrowed(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return First(buffer);
    }

    internal static int BorrowedByRecursion(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return Down(buffer, length);
    }

    internal static void GivenToVirtual(Taker taker, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        taker.Take(buffer);
    }

    internal static Stream OverArray(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return Open(buffer);
    }

    private static void GiveBack(byte[] buffer) => ArrayPool<byte>.Shared.Return(buffer);

    private static void GiveBackThrough(byte[] buffer) => GiveBack(buffer);

    private static void GiveBackIfAny(byte[]? buffer)
    {
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static void GiveBackInFinally(byte[] buffer)
    {
        try
        {
            buffer[0] = 1;
            if (buffer[1] == 2)
            {
                return;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static void GiveBackWhen(byte[] buffer, bool isLast)
    {
        if (isLast)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static void GiveBackUnlessEmpty(byte[] buffer, int count)
    {
        if (count == 0)
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    private static void Close(IMemoryOwner<byte>? owner) => owner?.Dispose();

    private static int First(byte[] bytes) => bytes[0];

    private static int Down(byte[] bytes, int depth) => depth == 0 ? bytes[0] : Down(bytes, depth - 1);

    private static Stream Open(byte[] bytes) => new MemoryStream(bytes, 0, 4);

    private void Keep(byte[] bytes) => _kept = bytes;

    internal class Taker
    {
        internal virtual void Take(byte[] bytes) => bytes[0] = 1;
    }
}

internal static class Recycling
{
    internal static void Recycle(this byte[] array)
    {
        if (array.Length > 0)
        {
            System.Array.Clear(array);
        }

        ArrayPool<byte>.Shared.Return(array);
    }
}
