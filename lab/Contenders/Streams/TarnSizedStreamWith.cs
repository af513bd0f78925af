using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Ours with options, told the size.</summary>
internal readonly struct TarnSizedStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options, size);
}
