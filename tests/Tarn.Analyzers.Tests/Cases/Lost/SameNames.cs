using System;
using System.Buffers;

// What the source of a type does with a field is found out once. The answer is about that field, not about others of its name.
internal sealed class AlwaysRented : IDisposable
{
    private byte[]? _rented;

    internal void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        Array.Copy(_rented!, larger, _rented!.Length);
        _rented = larger;
    }

    internal void GrowAgain(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        Array.Copy(_rented!, larger, _rented!.Length);
        _rented = larger;
    }

    public void Dispose()
    {
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
            _rented = null;
        }
    }
}

internal sealed class SometimesMade : IDisposable
{
    private byte[]? _rented;

    internal void Make() => _rented = new byte[16];

    internal void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length);
        Array.Copy(_rented!, larger, _rented!.Length);
        _rented = larger;
    }

    public void Dispose()
    {
        if (_rented is not null && _rented.Length > 16)
        {
            ArrayPool<byte>.Shared.Return(_rented);
            _rented = null;
        }
    }
}

internal sealed class NeverReturned
{
    private byte[]? _rented;

    internal byte[]? HandedRented => _rented;

    internal void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length);
        Array.Copy(_rented!, larger, _rented!.Length);
        _rented = larger;
    }
}

internal sealed class RentedOf<T> : IDisposable
    where T : unmanaged
{
    private T[]? _rented;

    internal void Grow(int length)
    {
        T[] larger = ArrayPool<T>.Shared.Rent(length); // expect TARN011
        Array.Copy(_rented!, larger, _rented!.Length);
        _rented = larger;
    }

    public void Dispose()
    {
        if (_rented is not null)
        {
            ArrayPool<T>.Shared.Return(_rented);
            _rented = null;
        }
    }
}

internal sealed class PoolOfItsOwn
{
    private static readonly ArrayPool<byte> s_pool = ArrayPool<byte>.Create();

    internal static void Use()
    {
        byte[] buffer = s_pool.Rent(16);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }

    internal static void UseAgain()
    {
        byte[] buffer = s_pool.Rent(16);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }
}

internal sealed class PoolOfSomeKind
{
    private static readonly ArrayPool<byte> s_pool = Choose();

    private static ArrayPool<byte> Choose() => ArrayPool<byte>.Shared;

    internal static void Use()
    {
        byte[] buffer = s_pool.Rent(16);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}
