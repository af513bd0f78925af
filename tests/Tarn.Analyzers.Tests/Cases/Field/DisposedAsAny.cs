using System;
using System.Buffers;

/// <summary>An owner is disposed through a variable or a parameter whose type says only that it can be disposed.</summary>
internal static class DisposedAsAny
{
    internal static int InFinally(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        IDisposable any = owner;
        try
        {
            return owner.Memory.Length;
        }
        finally
        {
            any.Dispose();
        }
    }

    internal static int ByPattern(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        if (owner is IDisposable any)
        {
            any.Dispose();
        }

        return length;
    }

    internal static int ByConversion(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        (owner as IDisposable)?.Dispose();
        return length;
    }

    internal static int ByUsing(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        using (owner as IDisposable)
        {
            return owner.Memory.Length;
        }
    }

    internal static int LaterInFinally(int length)
    {
        IDisposable? any = null;
        try
        {
            IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
            any = owner;
            return owner.Memory.Length;
        }
        finally
        {
            any?.Dispose();
        }
    }

    internal static int ByUsingDeclaration(int length)
    {
        using IDisposable any = MemoryPool<byte>.Shared.Rent(length);
        return length;
    }

    internal static int ByHelpers(int length)
    {
        IMemoryOwner<byte> one = MemoryPool<byte>.Shared.Rent(length);
        IMemoryOwner<byte> two = MemoryPool<byte>.Shared.Rent(length);
        IMemoryOwner<byte> three = MemoryPool<byte>.Shared.Rent(length);
        Close(one);
        CloseAny(two);
        CloseOf(three);
        return length;
    }

    internal static int BySwitch(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        switch (owner)
        {
            case IDisposable any:
                any.Dispose();
                break;
        }

        return length;
    }

    internal static void ArrayPassed(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        CloseAny(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static int UsedAfter(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        IDisposable any = owner;
        any.Dispose();
        return owner.Memory.Span[0]; // expect TARN002
    }

    internal static int NotDisposed(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length); // expect TARN011
        IDisposable any = owner;
        return any.GetHashCode();
    }

    private static void Close(IDisposable any) => any.Dispose();

    private static void CloseAny(object? any) => (any as IDisposable)?.Dispose();

    private static void CloseOf<T>(T any)
        where T : IDisposable => any.Dispose();
}
