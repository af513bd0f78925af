using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Where one side of a ring sleeps.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RingSleeper
{
    /// <summary>Changes with every wake.</summary>
    internal uint Signal;

    /// <summary>Not 0: the other side has to wake it.</summary>
    internal int IsAsleep;
}
