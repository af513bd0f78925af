using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The words on which one side of a ring, a queue or a topic sleeps.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Sleeper
{
    /// <summary>Changes with every wake.</summary>
    internal uint Signal;

    /// <summary>Not 0 while the other side must wake this one. Of several sleepers, none clears it for itself alone.</summary>
    internal int IsAsleep;
}
