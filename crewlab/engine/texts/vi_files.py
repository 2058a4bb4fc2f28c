"""What the route of workspace files says, Vietnamese."""

TEXTS = {
    "not_there": "{path} không phải là tệp trong thư mục làm việc: tệp bị thiếu, là thư mục, là nơi dành riêng, hoặc nằm bên ngoài.",
    "too_large": "{path} lớn hơn {limit} MB nên không được gửi. Hãy mở tệp ngay tại nơi nó nằm.",
}
