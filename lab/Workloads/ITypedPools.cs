namespace Tarn.Lab.Workloads;

/// <summary>The shared pool of any element type.</summary>
internal interface ITypedPools
{
    T[] Rent<T>(int length);

    void Return<T>(T[] array);
}
