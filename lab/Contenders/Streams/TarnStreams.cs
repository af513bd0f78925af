using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>Our stream, which receives the size.</summary>
internal readonly struct TarnSizedStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(size);
}

/// <summary>Our stream with options, which receives the size.</summary>
internal readonly struct TarnSizedStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options, size);
}

/// <summary>Our stream with default options.</summary>
internal readonly struct TarnStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream();
}

/// <summary>Our stream with options: native memory, several cores, zeroing.</summary>
internal readonly struct TarnStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options);
}
