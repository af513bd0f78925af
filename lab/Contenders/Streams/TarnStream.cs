using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Ours, as one gets it.</summary>
internal readonly struct TarnStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream();
}
