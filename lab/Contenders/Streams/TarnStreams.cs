using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>Ours, told the size.</summary>
internal readonly struct TarnSizedStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(size);
}

/// <summary>Ours with options, told the size.</summary>
internal readonly struct TarnSizedStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options, size);
}

/// <summary>Ours, as one gets it.</summary>
internal readonly struct TarnStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream();
}

/// <summary>Ours with options: native memory, several cores, zeroing.</summary>
internal readonly struct TarnStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options);
}
