using System;
using System.Buffers;

/// <summary>The receiver of a method of an extension block is no argument of its call.</summary>
internal static class ExtensionMembers
{
    private static byte[]? s_kept;

    extension(ArrayPool<byte> pool)
    {
        internal byte[] RentCleared(int length)
        {
            byte[] buffer = pool.Rent(length);
            Array.Clear(buffer);
            return buffer;
        }

        internal void GiveBack(byte[] buffer) => pool.Return(buffer);

        internal void Inspect(byte[] buffer) => buffer[0] = 1;

        internal void Keep(byte[] buffer) => s_kept = buffer;
    }

    extension(byte[] rented)
    {
        internal void Back() => ArrayPool<byte>.Shared.Return(rented);

        internal void Back(int first)
        {
            rented[0] = (byte)first;
            ArrayPool<byte>.Shared.Return(rented);
        }

        internal void BackIf(bool isDone)
        {
            if (isDone)
            {
                ArrayPool<byte>.Shared.Return(rented);
            }
        }

        internal void BackThroughAnother() => rented.Back();

        internal byte First() => rented[0];

        internal void Kept() => s_kept = rented;

        internal byte[] Filled(byte value)
        {
            Array.Fill(rented, value);
            return rented;
        }

        internal byte UsedAfterItsReturn()
        {
            ArrayPool<byte>.Shared.Return(rented);
            return rented[0]; // expect TARN002
        }
    }

    extension<T>(T[] rented)
    {
        internal void BackToPoolOfType() => ArrayPool<T>.Shared.Return(rented);
    }

    extension(IMemoryOwner<byte> owner)
    {
        internal void Done() => owner.Dispose();
    }

    internal static byte ReturnedByReceiver(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return buffer.First();
        }
        finally
        {
            buffer.Back();
        }
    }

    internal static void ReturnedAfterItsArgumentIsRead(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.Back(buffer[1]);
    }

    internal static void PerhapsReturned(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.BackIf(length > 1);
    }

    internal static void ReturnedThroughAnother(int length) => ArrayPool<byte>.Shared.Rent(length).BackThroughAnother();

    internal static void ReturnedToPoolOfType(int length) => ArrayPool<byte>.Shared.Rent(length).BackToPoolOfType();

    internal static void KeptByReceiver(int length) => ArrayPool<byte>.Shared.Rent(length).Kept();

    internal static byte DisposedByReceiver(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        byte first = owner.Memory.Span[0];
        owner.Done();
        return first;
    }

    internal static byte HandedBack(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length).Filled(1);
        byte first = buffer[0];
        ArrayPool<byte>.Shared.GiveBack(buffer);
        return first;
    }

    internal static void ReturnedByStaticForm(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.RentCleared(length);
        GiveBack(ArrayPool<byte>.Shared, buffer);
        byte[] other = ArrayPool<byte>.Shared.Rent(length);
        Back(other);
    }

    internal static void KeptByStaticForm(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Keep(ArrayPool<byte>.Shared, buffer);
    }

    internal static byte UsedAfterReceiver(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.Back();
        return buffer[0]; // expect TARN002
    }

    internal static void ReturnedTwice(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.Back();
        buffer.Back(); // expect TARN001
    }

    internal static void ReturnedTwiceForCaller(byte[] buffer)
    {
        buffer.Back();
        buffer.Back(); // expect TARN001
    }

    internal static byte UsedAfterStaticForm(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Back(buffer);
        return buffer[0]; // expect TARN002
    }

    internal static byte OnlyRead(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return buffer.First();
    }

    internal static byte OnlyReadByStaticForm(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        Inspect(ArrayPool<byte>.Shared, buffer);
        return buffer[0];
    }

    internal static byte HandedBackAndLost(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length).Filled(2); // expect TARN011
        return buffer[0];
    }

    internal static byte RentedByReceiverAndLost(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.RentCleared(length); // expect TARN011
        return buffer[0];
    }
}
