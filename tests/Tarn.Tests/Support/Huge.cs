using System.Runtime.InteropServices;

namespace Tarn.Tests.Support;

/// <summary>An element of which no machine holds 2^30.</summary>
[StructLayout(LayoutKind.Sequential, Size = 60_000)]
internal struct Huge
{
    public byte First;
}
