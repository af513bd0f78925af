using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Ours, told the size.</summary>
internal readonly struct TarnSizedStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(size);
}
