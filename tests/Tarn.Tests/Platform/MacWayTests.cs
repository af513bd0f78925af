namespace Tarn.Tests.Platform;

/// <summary>The macOS way of decommitting, with Linux's constants: run on whichever of the two systems is present.</summary>
public sealed class MacWayTests() : VirtualMemoryContract(OperatingSystem.IsLinux() ? new MacWay() : VirtualMemory.Current)
{
    /// <remarks>The flags are MAP_PRIVATE and MAP_ANONYMOUS, the error is EAGAIN, the advice MADV_FREE.</remarks>
    private sealed class MacWay() : PosixVirtualMemory(0x22, 11, 8)
    {
        protected override bool TryTakeBack(nint address, nuint size) => Seal(address, size);
    }
}
