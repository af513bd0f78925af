using System;
using System.Buffers;
using System.Collections.Generic;

/// <summary>Methods without a body here, whose names say that they make what they hand out.</summary>
internal interface IProducers
{
    IMemoryOwner<byte> Compress(ReadOnlyMemory<byte> source);

    IMemoryOwner<byte> ReadBlock(int number);

    IMemoryOwner<byte>? ReadNext();

    IMemoryOwner<byte> GetCurrent();
}

internal sealed class Producers(IProducers producers)
{
    private IMemoryOwner<byte>? _last;

    internal int NeverDisposed(ReadOnlyMemory<byte> source)
    {
        IMemoryOwner<byte> owner = producers.Compress(source); // expect TARN011
        return owner.Memory.Length;
    }

    internal int NotDisposedEarly(int number)
    {
        IMemoryOwner<byte> owner = producers.ReadBlock(number); // expect TARN011
        if (number == 0)
        {
            return 0;
        }

        int length = owner.Memory.Length;
        owner.Dispose();
        return length;
    }

    internal int UsedAfter(int number)
    {
        IMemoryOwner<byte> owner = producers.ReadBlock(number);
        owner.Dispose();
        return owner.Memory.Span[0]; // expect TARN002
    }

    internal int ByOwnMethod(ReadOnlyMemory<byte> source)
    {
        IMemoryOwner<byte>? owner = CompressLarge(source); // expect TARN011
        return owner?.Memory.Length ?? 0;
    }

    internal int Disposed(ReadOnlyMemory<byte> source)
    {
        using IMemoryOwner<byte> owner = producers.Compress(source);
        return owner.Memory.Length;
    }

    internal IEnumerable<IMemoryOwner<byte>> All(int count)
    {
        while (producers.ReadBlock(count--) is { } owner)
        {
            yield return owner;
        }
    }

    internal IMemoryOwner<byte>? First() => producers.ReadBlock(0) is { } owner ? owner : null;

    internal void DisposeFirst()
    {
        if (producers.ReadBlock(0) is not { } owner)
        {
            return;
        }

        owner.Dispose();
    }

    internal int Next()
    {
        IMemoryOwner<byte>? owner;
        int length = 0;
        while ((owner = producers.ReadNext()) != null)
        {
            length += owner.Memory.Length;
            owner.Dispose();
        }

        switch (producers.ReadNext())
        {
            case null:
                return length;
            case var last:
                last.Dispose();
                return length;
        }
    }

    internal int NextNeverDisposed()
    {
        IMemoryOwner<byte>? owner = producers.ReadNext(); // expect TARN011
        return owner is null ? 0 : owner.Memory.Length;
    }

    internal int OfAnother() => producers.GetCurrent().Memory.Length + ReadLast().Memory.Length;

    internal void Keep(int number) => _last = producers.ReadBlock(number);

    internal IMemoryOwner<byte> ReadLast() => _last ??= producers.ReadBlock(0);

    internal int ReadKept()
    {
        IMemoryOwner<byte> owner = ReadLast();
        return owner.Memory.Length;
    }

    private IMemoryOwner<byte>? CompressLarge(ReadOnlyMemory<byte> source)
    {
        if (source.Length < 100)
        {
            return null;
        }

        IMemoryOwner<byte> compressed = producers.Compress(source);
        if (compressed.Memory.Length > source.Length)
        {
            compressed.Dispose();
            return null;
        }

        return compressed;
    }
}
