namespace Tarn.Lab.Workloads.Copies;

/// <summary>Memory to copy from and to, on pages of the usual size or, where Linux has them, on pages of 2 MiB.</summary>
internal sealed unsafe class CopyMemory : IDisposable
{
    private readonly AdvisedMemory _source;
    private readonly AdvisedMemory _destination;

    private CopyMemory(nuint size, bool isHuge)
    {
        _source = new AdvisedMemory(size, isHuge);
        _destination = new AdvisedMemory(size, isHuge);
    }

    public byte* Source => _source.Address;

    public byte* Destination => _destination.Address;

    public static CopyMemory Create(int size) => new((nuint)size, isHuge: false);

    /// <summary>Returns memory on pages of 2 MiB; null where the system has no such advice.</summary>
    public static CopyMemory? CreateHuge(int size) => OperatingSystem.IsLinux() ? new((nuint)size, isHuge: true) : null;

    public void Dispose()
    {
        _source.Dispose();
        _destination.Dispose();
    }
}
