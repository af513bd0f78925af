using System.Buffers;
using System.IO;

/// <summary>Flags that do not concern the buffer, tested twice, so that the method has more paths than can be followed.</summary>
internal static class ManyFlags
{
    internal static void NeverReturned(
        BinaryWriter log,
        bool f0, bool f1, bool f2, bool f3, bool f4, bool f5, bool f6,
        bool f7, bool f8, bool f9, bool f10, bool f11, bool f12, bool f13)
    {
        bool any = f0 || f1 || f2 || f3 || f4 || f5 || f6;
        if (f0)
        {
            log.Write(0);
        }

        if (f1)
        {
            log.Write(1);
        }

        if (f2)
        {
            log.Write(2);
        }

        if (f3)
        {
            log.Write(3);
        }

        if (f4)
        {
            log.Write(4);
        }

        if (f5)
        {
            log.Write(5);
        }

        if (f6)
        {
            log.Write(6);
        }

        if (f7)
        {
            log.Write(7);
        }

        if (f8)
        {
            log.Write(8);
        }

        if (f9)
        {
            log.Write(9);
        }

        if (f10)
        {
            log.Write(10);
        }

        if (f11)
        {
            log.Write(11);
        }

        if (f12)
        {
            log.Write(12);
        }

        if (f13)
        {
            log.Write(13);
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(10); // expect TARN011
        buffer[0] = 1;
        log.Write(buffer, 0, 1);
        log.Write(any);
        if (f0)
        {
            log.Write(-0);
        }

        if (f1)
        {
            log.Write(-1);
        }

        if (f2)
        {
            log.Write(-2);
        }

        if (f3)
        {
            log.Write(-3);
        }

        if (f4)
        {
            log.Write(-4);
        }

        if (f5)
        {
            log.Write(-5);
        }

        if (f6)
        {
            log.Write(-6);
        }

        if (f7)
        {
            log.Write(-7);
        }

        if (f8)
        {
            log.Write(-8);
        }

        if (f9)
        {
            log.Write(-9);
        }

        if (f10)
        {
            log.Write(-10);
        }

        if (f11)
        {
            log.Write(-11);
        }

        if (f12)
        {
            log.Write(-12);
        }

        if (f13)
        {
            log.Write(-13);
        }
    }

    /// <summary>A flag says whether there is a buffer, among others that say nothing about it.</summary>
    internal static void ReturnedUnderItsFlag(
        BinaryWriter log, bool isPooled,
        bool f0, bool f1, bool f2, bool f3, bool f4, bool f5, bool f6,
        bool f7, bool f8, bool f9, bool f10, bool f11, bool f12, bool f13)
    {
        if (!isPooled && f0)
        {
            return;
        }

        byte[]? buffer = null;
        if (isPooled)
        {
            buffer = ArrayPool<byte>.Shared.Rent(10);
        }

        if (f0)
        {
            log.Write(0);
        }

        if (f1)
        {
            log.Write(1);
        }

        if (f2)
        {
            log.Write(2);
        }

        if (f3)
        {
            log.Write(3);
        }

        if (f4)
        {
            log.Write(4);
        }

        if (f5)
        {
            log.Write(5);
        }

        if (f6)
        {
            log.Write(6);
        }

        if (f7)
        {
            log.Write(7);
        }

        if (f8)
        {
            log.Write(8);
        }

        if (f9)
        {
            log.Write(9);
        }

        if (f10)
        {
            log.Write(10);
        }

        if (f11)
        {
            log.Write(11);
        }

        if (f12)
        {
            log.Write(12);
        }

        if (f13)
        {
            log.Write(13);
        }

        if (isPooled)
        {
            ArrayPool<byte>.Shared.Return(buffer!);
        }

        if (f0)
        {
            log.Write(-0);
        }

        if (f1)
        {
            log.Write(-1);
        }

        if (f2)
        {
            log.Write(-2);
        }

        if (f3)
        {
            log.Write(-3);
        }

        if (f4)
        {
            log.Write(-4);
        }

        if (f5)
        {
            log.Write(-5);
        }

        if (f6)
        {
            log.Write(-6);
        }

        if (f7)
        {
            log.Write(-7);
        }

        if (f8)
        {
            log.Write(-8);
        }

        if (f9)
        {
            log.Write(-9);
        }

        if (f10)
        {
            log.Write(-10);
        }

        if (f11)
        {
            log.Write(-11);
        }

        if (f12)
        {
            log.Write(-12);
        }

        if (f13)
        {
            log.Write(-13);
        }

        if (!isPooled)
        {
            log.Write(buffer is null);
        }
    }

    /// <summary>Whether the buffer was returned is noted in a variable, which a finally block tests.</summary>
    internal static void ReturnedOnce(BinaryWriter log, bool isEarly, bool isLogged)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(10);
        bool isReturned = false;
        try
        {
            if (isLogged)
            {
                log.Write(isEarly);
            }

            if (isEarly)
            {
                ArrayPool<byte>.Shared.Return(buffer);
                isReturned = true;
            }

            if (isLogged)
            {
                log.Write(1);
            }
        }
        finally
        {
            if (!isReturned)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }
}
