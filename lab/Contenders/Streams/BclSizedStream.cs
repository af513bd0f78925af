using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>The stream of the BCL, told the size.</summary>
internal readonly struct BclSizedStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new MemoryStream(size);
}
