namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>A line of an <see cref="Order"/>.</summary>
internal sealed record OrderLine(string Sku, int Quantity, decimal Price);
