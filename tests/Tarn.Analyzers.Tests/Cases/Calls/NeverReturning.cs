using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;

internal static class NeverReturning
{
    internal static void AfterOwnHelper(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Throw.TooLong();
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void AfterMarked(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Throw.Marked(n);
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void AfterArrow(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Throw.Arrow();
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void AfterHelperOfHelper(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Throw.Through(n);
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void AfterLocalFunction(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Fail();
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
        static void Fail() => throw new InvalidOperationException();
    }

    internal static void AfterTheProcess(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        switch (n)
        {
            case 1:
                ArrayPool<byte>.Shared.Return(buffer);
                Environment.FailFast("n is 1");
                break;
            case 2:
                ArrayPool<byte>.Shared.Return(buffer);
                Environment.Exit(2);
                break;
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static int AfterOwner(int n)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            owner.Dispose();
            Throw.TooLong();
        }

        int length = owner.Memory.Span[0];
        owner.Dispose();
        return length;
    }

    internal static void LostOnlyByThrowing(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (n > 10)
        {
            Throw.TooLong();
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void AfterHelperThatMayReturn(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        ArrayPool<byte>.Shared.Return(buffer);
        Throw.IfTooLong(n);
        buffer[0] = 1; // expect TARN002
    }

    internal static void AfterHelperThatCatches(int n)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        ArrayPool<byte>.Shared.Return(buffer);
        Throw.AndCatch();
        buffer[0] = 1; // expect TARN002
    }

    private static class Throw
    {
        internal static void TooLong()
        {
            string message = "too long";
            throw new ArgumentException(message);
        }

        [DoesNotReturn]
        internal static void Marked(int n)
        {
            if (n > 0)
            {
                throw new ArgumentException();
            }

            Environment.FailFast(null);
        }

        internal static void Arrow() => throw new InvalidOperationException();

        internal static int Through(int n)
        {
            if (n > 100)
            {
                Arrow();
            }
            else
            {
                TooLong();
            }

            return n;
        }

        internal static void IfTooLong(int n)
        {
            if (n > 10)
            {
                throw new ArgumentException();
            }
        }

        internal static void AndCatch()
        {
            try
            {
                throw new ArgumentException();
            }
            catch (ArgumentException)
            {
            }
        }
    }
}
