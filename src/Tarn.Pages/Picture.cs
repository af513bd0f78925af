namespace Tarn.Pages;

/// <summary>A drawn picture: the elements inside an <c>svg</c> element and the size they were drawn for.</summary>
internal sealed record Picture(double Width, double Height, string Content);
