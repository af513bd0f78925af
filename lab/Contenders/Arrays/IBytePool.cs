namespace Tarn.Lab.Contenders.Arrays;

/// <summary>A pool as one kind of caller sees it. Structs, so that the call is as direct as it would be in that caller's code.</summary>
internal interface IBytePool
{
    byte[] Rent(int length);

    void Return(byte[] array);
}
