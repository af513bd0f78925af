namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>The mistakes that a random program makes, one a program.</summary>
public enum InjectedFault
{
    None,
    DoubleFree,
    DoubleReallocate,
    InteriorFree,
    ForeignFree,
    WrongSize,
    WrongAlignment,
    Overrun,
    Underrun,
    WriteAfterFree,
    Leak,
}
