using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>The stream of the BCL, which receives the size.</summary>
internal readonly struct BclSizedStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new MemoryStream(size);
}

/// <summary>The stream of the BCL.</summary>
internal readonly struct BclStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new MemoryStream();
}
